"""Tables as files: CSV, XLSX, ODS, PDF, HTML and JSON out; CSV and XLSX in."""
