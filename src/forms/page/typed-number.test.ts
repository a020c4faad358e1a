import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asPlainNumber, withPlainDigits } from './typed-number.ts';

test('a number is read as the keypads of phones write it, and what may be meant in two ways is left as it is', () => {
  const read = { '70,5': '70.5', '-,5': '-.5', '0,125': '0.125', '1234,567': '1234.567', '٧٠٫٥': '70.5', '۷۰': '70' };
  for (const [typed, plain] of Object.entries(read)) assert.equal(asPlainNumber(typed), plain);
  for (const typed of ['70.5', '1,500', '-12,000', '1,2,3', '1,5 kg', ',', '5,', '١,٥٠٠', 'ten']) {
    assert.equal(asPlainNumber(typed), typed);
  }
});

test('digits are read as keyboards in Arabic and Persian write them', () => {
  assert.equal(withPlainDigits('+٢٠ ١٢٣٤٥٦٧٨٩٠'), '+20 1234567890');
  assert.equal(withPlainDigits('۰۹۱۲ ext. 3'), '0912 ext. 3');
});
