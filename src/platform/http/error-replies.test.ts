import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toAppError } from './error-replies.ts';

const told = (code: string) => toAppError(Object.assign(new Error('from the database'), { code }));

test('whoever asked for more than the database finds in time is told so, and not that it is away', () => {
  assert.deepEqual([told('57014').status, told('57P01').status, told('22P02').status], [503, 503, 500]);
  assert.match(told('57014').message, /within 10 seconds: ask for less/);
  assert.equal(told('57P01').message, 'The database is away');
});
