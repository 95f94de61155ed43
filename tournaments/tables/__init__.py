"""Tables as files: CSV, XLSX, PDF, HTML and JSON out; CSV and XLSX in."""
