"""Reports: what an experiment found, as tables with intervals, plots and cases."""
