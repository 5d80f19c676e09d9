"""One module a trace format, each with a `FORMAT`; `workbench.ingest.registry` lists them."""
