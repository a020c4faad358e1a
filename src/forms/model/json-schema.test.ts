import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileForm } from './compile.ts';
import { toJsonSchema } from './json-schema.ts';

/** A form that demands so many answers within a condition that speaks of a hundred others. */
function formOf(required: number) {
  const asked = Array.from({ length: required }, (_, i) => ({ name: `q${i}`, required: true }));
  const showWhen = Array.from({ length: 100 }, (_, i) => `c == '${i}'`).join(' or ');
  return compileForm({ fields: [{ name: 'c' }, { type: 'section', showWhen, fields: asked }] });
}

test('a condition is written for as many questions as there is room for, and what is left out is not exact', () => {
  const { schema, exact } = toJsonSchema(formOf(300));
  assert.ok(exact);
  assert.ok(JSON.stringify(schema).length < 2_000_000);
  const large = toJsonSchema(formOf(4_998));
  assert.ok(!large.exact);
  assert.ok(JSON.stringify(large.schema).length < 2_500_000, 'all of them would be 27 MB');
});

test('a schema is described at once, whatever conditions say of long lists of choices', () => {
  const options = Array.from({ length: 5_000 }, (_, i) => `${i}`);
  const asked = Array.from({ length: 4_000 }, (_, i) => {
    return { name: `q${i}`, required: true, showWhen: Array(50).fill("c != 'x'").join(' and ') };
  });
  const model = compileForm({ fields: [{ name: 'c', type: 'select', options }, ...asked] });
  const before = process.cpuUsage();
  const { exact } = toJsonSchema(model);
  assert.ok(!exact);
  assert.ok(process.cpuUsage(before).user < 10_000_000, 'all of the thousand million comparisons take two minutes');
});
