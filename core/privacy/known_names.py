"""Given names and surnames that are common where English, German, French, Spanish, Polish or Italian is spoken.

They only tell a name from another capitalised word where no title does. Names that are words, places or eponyms are
left out on purpose (Will, Rose, Iris, Grace, Frank, Austin, Victoria): a cue finds those.
"""

from __future__ import annotations

GIVEN_NAMES = frozenset(
    """aaron abigail adam adrian agnes agnieszka ahmed aisha aidan alan albert alejandro alex alexander alexandra alfred
    ali alice alicia alison allison amanda amelia amina amir amy ana andrea andreas andrew andrzej angela anita ann anna
    anne annette anthony antonio aoife arthur ashley barbara beatrice benjamin bernard beth betty beverly brenda brian
    bridget bruce bruno carl carla carlos carmen carol caroline catherine cecilia chiara chloe christina christine
    christopher claire clara claudia colin connor cynthia daniel daniela darren david deborah denise dennis derek diana
    diane dieter dimitri dmitri dominik donald donna dorothy douglas dylan edith edward eileen elena eleanor elisabeth
    elizabeth ella ellen elsie emily emma eric erik erika esther ethel eugene evelyn fatima fatma felix fernando fiona
    florian franz françois françoise frederick friedrich gabriel gabriele gareth gary george gerald gerda giovanni
    giulia giuseppe gloria gordon greta guillermo gunther günter hans harold harriet harry hassan heather heidi heike
    helen helena helga henry hiroshi holly horst howard ian ibrahim ingrid irena irene isabel isabella ivan jacob
    jacqueline jakub james jan jane janet janice jason javier jean-pierre jeffrey jennifer jeremy jerzy jessica joan
    joanna joanne joao joel johann johanna johannes john jonathan jorge jose josé josef joseph joshua juan judith julia
    julian julie jürgen karen karin karl katarzyna kate katharina katherine kathleen katrin keith kenneth kerstin kevin
    klaus krzysztof kyle larry laura lauren lawrence leila leon leonard leslie liam linda lisa lorenzo louise luca lucas
    lucia lucy luis luke lukas maciej magdalena małgorzata manfred manuel marek margaret maria marie mario marta martin
    martina mary mateusz matteo matthew maureen max megan mehmet melanie melissa michael michal michelle miguel mike
    mohamed mohammed monica monika moritz muhammad nancy natalia natalie nathan neil niamh nicholas nicola nicole nigel
    nikolai noah nora oliver olivia omar oscar pablo pamela patricia patrick paul paula pauline pedro peter petra philip
    philippe phyllis pierre piotr priya rachel rafael raj rajesh ralph ramon raymond rebecca reinhard renate ricardo
    richard robert roberto roger roland ronald rosalind rosemary roy russell ruth ryan sabine sally samantha samuel
    sandra sarah scott sean sebastian sergei sharon sheila shirley sibel simon sofie sophia sophie stanisław stefan
    stefanie stella stephanie stephen steven stewart stuart susan susanna susanne suzanne sylvia tamara tanja teresa
    thelma theodore theresa thomas timothy tina tobias tomasz tracy ulrich ulrike ursula uwe valentina valerie vanessa
    veronica vincent vladimir walter wanda wendy werner wilfred wilhelm william winifred wolfgang yasmin yusuf yvonne
    zbigniew zoe""".split()
)

SURNAMES = frozenset(
    """ahmed ali allen andersen anderson bailey baker becker bennett brown carter clark clarke collins cooper cox davies
    davis diaz edwards evans fernandez fischer garcia gonzalez gupta hall harris hernandez hill hoffmann hughes jackson
    jensen johnson jones kaur khan kim king klein kowalski kumar lee lewis lopez martin martinez meyer miller mitchell
    moore morgan morris müller murphy nguyen nowak patel perez phillips ramirez richardson roberts robinson rodriguez
    rossi sanchez schmidt schneider schulz scott sharma shaw singh smith suzuki taylor thomas thompson turner wagner
    walker ward watson weber white williams wilson wong wright young""".split()
)
