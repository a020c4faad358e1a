import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { AppError } from '../../../platform/errors.ts';
import { readMetadata, writeMetadata } from './metadata.ts';

const NAME = /^[^\p{C}/\\]*[^\p{C}\s./\\][^\p{C}/\\]*$/u;

test('what is written of a file is read as the same', () => {
  const words = fc.record({
    name: fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 50 })
      .filter((name) => NAME.test(name) && name.trim() === name),
    type: fc.constantFrom('application/pdf', 'image/png', 'text/plain'),
    field: fc.option(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 100 })),
  });
  fc.assert(fc.property(words, (told) => assert.deepEqual(readMetadata(writeMetadata(told)), { ...told })));
});

test('whatever stands in the header, it is read or refused, and never repeated', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 200 }), (header) => {
      try {
        assert.ok(readMetadata(header).name.length > 0);
      } catch (error) {
        assert.ok(error instanceof AppError && error.status === 400);
        if (header.length > 20) assert.ok(!error.message.includes(header));
      }
    }),
  );
});

test('names that nobody knows are passed over, and values may be left out', () => {
  const header = 'relativePath bnVsbA==, filename YS50eHQ=,filetype ,is_confidential';
  assert.deepEqual(readMetadata(header), { name: 'a.txt', type: 'application/octet-stream', field: null });
});
