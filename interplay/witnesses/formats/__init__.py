"""Writers of foreign formats: witnesses of SV-COMP (YAML 2.0, GraphML 1.0), test suites of Test-Comp, SARIF 2.1.0."""
