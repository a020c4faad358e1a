import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2';

function ignore(): void {}

const NOTHING: TokenizerCallbacks = {
  onattribdata: ignore,
  onattribend: ignore,
  onattribentity: ignore,
  onattribname: ignore,
  oncdata: ignore,
  onclosetag: ignore,
  oncomment: ignore,
  ondeclaration: ignore,
  onend: ignore,
  onopentagend: ignore,
  onopentagname: ignore,
  onprocessinginstruction: ignore,
  onselfclosingtag: ignore,
  ontext: ignore,
  ontextentity: ignore,
};

/** Reads HTML as browsers take it apart, and tells of the tokens that are asked for, by where they stand. */
export function readTokens(html: string, tell: Partial<TokenizerCallbacks>, { decodeEntities = false } = {}): void {
  const tokenizer = new Tokenizer({ decodeEntities, xmlMode: false }, { ...NOTHING, ...tell });
  tokenizer.write(html);
  tokenizer.end();
}
