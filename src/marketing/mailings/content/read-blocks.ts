import type { TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { BLOCK_RULES, type Block, Blocks, type SimpleBlock } from './blocks.ts';
import { ContentMistake } from './mistake.ts';

/** Reads the blocks of a mailing, or says which one is wrong. */
export function readBlocks(blocks: unknown): Block[] {
  if (!Array.isArray(blocks)) throw new ContentMistake('blocks', null, 'must be a list of blocks');
  blocks.forEach((block, i) => checkBlock(block, `blocks[${i}]`));
  checkShape(Blocks, blocks, 'blocks');
  return blocks as Block[];
}

/** Every block that is no column, with its place. */
export function simpleBlocks(blocks: readonly Block[]): { block: SimpleBlock; place: string }[] {
  return blocks.flatMap((block, i) =>
    block.type === 'columns'
      ? block.columns.flatMap((column, c) =>
          column.map((each, j) => ({ block: each, place: `blocks[${i}].columns[${c}][${j}]` })),
        )
      : [{ block, place: `blocks[${i}]` }],
  );
}

function checkBlock(block: unknown, place: string): void {
  const type = fieldOf(block, 'type');
  if (typeof type !== 'string' || !Object.hasOwn(BLOCK_RULES, type)) {
    throw new ContentMistake(place, null, `type must be one of ${Object.keys(BLOCK_RULES).join(', ')}`);
  }
  for (const [c, column] of listIn(block, 'columns').entries()) {
    if (!Array.isArray(column)) continue;
    for (const [i, each] of column.entries()) checkInColumn(each, `${place}.columns[${c}][${i}]`);
  }
  checkShape(BLOCK_RULES[type as Block['type']], block, place);
}

function checkInColumn(block: unknown, place: string): void {
  if (fieldOf(block, 'type') === 'columns') throw new ContentMistake(place, null, 'columns cannot stand in a column');
  checkBlock(block, place);
}

function listIn(value: unknown, field: string): unknown[] {
  const list = fieldOf(value, field);
  return Array.isArray(list) ? list : [];
}

function checkShape(schema: TSchema, value: unknown, place: string): void {
  const error = Value.Errors(schema, value).find(({ keyword }) => keyword !== 'boolean');
  if (error === undefined) return;
  const path = error.instancePath.replace(/\/(\d+)/g, '[$1]').replaceAll('/', '.');
  throw new ContentMistake(place + path, null, error.message);
}

function fieldOf(value: unknown, field: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, field)
    ? (value as Record<string, unknown>)[field]
    : undefined;
}
