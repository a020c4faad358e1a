import { randomBytes } from 'node:crypto';
import { findMustaches, type Span } from '../../../email/index.ts';

/** A piece of a source for which a word shall stand, and what is written in its place in the end. */
export interface Piece extends Span {
  becomes: string;
}

/** A source in which words stand for the mustaches, for readers that would stumble over them. */
export interface Shielded {
  text: string;
  /** Puts the pieces back, in whatever became of the text. A backslash before one would make it text, so it is doubled. */
  restore(text: string): string;
  /** The offset in the source of the mustache that the text, once restored, has at or before an offset. */
  sourceOffset(text: string, restoredOffset: number): number;
  /** The offset in the source of what stands at an offset of the shielded text. */
  unshiftedOffset(offset: number): number;
  /** The first mustache that the text has lost. */
  lost(text: string): Span | undefined;
}

/** The mustaches of a source, each of which becomes what it is. */
export function mustachesIn(source: string): Piece[] {
  return findMustaches(source).map(({ from, to }) => ({ from, to, becomes: source.slice(from, to) }));
}

/** Replaces pieces of a source by words that occur nowhere else in it: its mustaches, and whichever others. */
export function shield(source: string, mustaches: readonly Piece[], others: readonly Piece[] = []): Shielded {
  const pieces = [...mustaches, ...others].toSorted((one, other) => one.from - other.from);
  const isMustache = new Set(mustaches);
  const mark = `m${randomBytes(8).toString('hex')}x`;
  const words = new RegExp(`${mark}(\\d+)e`, 'g');
  const wordOf = (index: number) => `${mark}${index}e`;
  const pieceOf = (index: string | undefined) => pieces[Number(index)] as Piece;
  return {
    text: replacePieces(source, pieces, wordOf),
    restore: (text) =>
      text.replace(words, (_, index, at) => {
        const { becomes } = pieceOf(index);
        return text[at - 1] === '\\' && text[at - 2] !== '\\' ? `\\${becomes}` : becomes;
      }),
    sourceOffset(text, restoredOffset) {
      let grown = 0;
      let last = 0;
      for (const { 0: word, 1: index, index: at } of text.matchAll(words)) {
        if (at + grown > restoredOffset) break;
        const piece = pieceOf(index);
        if (isMustache.has(piece)) last = piece.from;
        grown += piece.becomes.length - word.length;
      }
      return last;
    },
    unshiftedOffset(offset) {
      let shift = 0;
      for (const [index, { from, to }] of pieces.entries()) {
        if (from + shift >= offset) break;
        shift += wordOf(index).length - (to - from);
      }
      return offset - shift;
    },
    lost(text) {
      const kept = new Set(text.matchAll(words).map(({ 1: index }) => pieceOf(index)));
      return mustaches.find((piece) => !kept.has(piece));
    },
  };
}

function replacePieces(source: string, pieces: readonly Piece[], wordOf: (index: number) => string): string {
  let text = '';
  let done = 0;
  for (const [index, { from, to }] of pieces.entries()) {
    text += source.slice(done, from) + wordOf(index);
    done = to;
  }
  return text + source.slice(done);
}
