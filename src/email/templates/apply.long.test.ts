import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRenderStored } from './apply.ts';
import type { StoredTemplate } from './store.ts';

const template = (id: number, body: string): StoredTemplate => {
  const at = new Date(0);
  return {
    id,
    name: `t${id}`,
    version: 1,
    createdAt: at,
    updatedAt: at,
    subject: null,
    body,
    strict: false,
    rawHtml: false,
  };
};

/** Renders templates one after the other, then says of the first whether it was kept: what is kept is not parsed again. */
function keepsFirst(bodies: string[]): boolean {
  const render = createRenderStored();
  for (const [id, body] of bodies.entries()) render(template(id, body), {});
  return render(template(0, 'parsed again'), {}).html !== 'parsed again';
}

const small = (count: number) => Array.from({ length: count }, (_, id) => `Hello {{name}} of ${id}`);

test('500 small templates are kept', () => {
  assert.equal(keepsFirst(small(500)), true);
  assert.equal(keepsFirst(small(501)), false);
});

test('of large templates only as many are kept as take 64 MiB', () => {
  const dense = `${'{{a}}'.repeat(8_304)}xxx`.padEnd(4 * 2 ** 20 - 8_304 * 500, 'x');
  const large = Array.from({ length: 16 }, () => dense);
  assert.equal(keepsFirst(large), true);
  assert.equal(keepsFirst([...large.slice(1), `${dense}x`]), false);
});
