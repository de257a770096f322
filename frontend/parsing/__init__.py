"""Lexing and parsing: C text to tokens, GNU C to plain C, tokens to a syntax tree without types."""
