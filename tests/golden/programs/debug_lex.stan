// RUN: --debug-lex %s
// WHY: tokens, blanks and places
data {
  int N; // n
}
//|exit 0
//|stdout
//| Lexer: single comment
//| {fname=debug_lex.stan; line=1}
//| Lexer: single comment
//| {fname=debug_lex.stan; line=2}
//| Lexer: data
//| Lexer: space
//| Lexer: {
//| Lexer: newline
//| {fname=debug_lex.stan; line=3}
//| Lexer: space
//| Lexer: space
//| Lexer: int
//| Lexer: space
//| Lexer: identifier N
//| {fname=debug_lex.stan; line=4}
//| Lexer: ;
//| Lexer: space
//| Lexer: single comment
//| {fname=debug_lex.stan; line=4}
//| Lexer: }
//| Lexer: newline
//| {fname=debug_lex.stan; line=5}
//| Lexer: eof
