"""Floor 4: the state machines. They only wire: a node calls one chain or tool and returns what changed."""
