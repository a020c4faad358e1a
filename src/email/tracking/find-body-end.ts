import { Tokenizer } from 'htmlparser2';

function ignore(): void {}

/** Where the last end tag of a body begins; null where HTML has none but in comments, scripts and the like. */
export function findBodyEnd(html: string): number | null {
  if (!/<\/body/i.test(html)) return null; // many have none, and need no reading
  let found: number | null = null;
  const tokenizer = new Tokenizer(
    { decodeEntities: false, xmlMode: false },
    {
      onclosetag: (from, to) => {
        if (/^body$/i.test(html.slice(from, to))) found = from - '</'.length;
      },
      onattribdata: ignore,
      onattribend: ignore,
      onattribentity: ignore,
      onattribname: ignore,
      oncdata: ignore,
      oncomment: ignore,
      ondeclaration: ignore,
      onend: ignore,
      onopentagend: ignore,
      onopentagname: ignore,
      onprocessinginstruction: ignore,
      onselfclosingtag: ignore,
      ontext: ignore,
      ontextentity: ignore,
    },
  );
  tokenizer.write(html);
  tokenizer.end();
  return found;
}
