import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readForm } from './form-body.ts';

const TYPE = 'multipart/form-data; boundary=b';
const part = (name: string, value: string) =>
  `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
const partsOf = (count: number) => Array.from({ length: count }, (_, n) => part('x[]', String(n))).join('');
const pairs = (count: number) => Array.from({ length: count }, () => 'x[]=1').join('&');
const read = (body: string, type = TYPE) =>
  readForm(type === TYPE ? 'multipart' : 'urlencoded', Buffer.from(body), type);
const TOO_MANY = { message: 'A form takes at most 100 fields' };
const BROKEN = { message: 'The body is not valid multipart/form-data' };

test('a field keeps its text, a file its content, and names with brackets stand within', async () => {
  const file = part('data[html]', '<p>ä</p>').replace('name=', 'filename="a.html"; name=');
  assert.deepEqual(await read(`${part('name', 'é\r\n')}${file}${partsOf(2)}--b--`), {
    name: 'é\r\n',
    data: { html: '<p>ä</p>' },
    x: ['0', '1'],
  });
  assert.deepEqual(await read('a=1+%C3%A9&b[c]=2&&x[]=3', 'application/x-www-form-urlencoded'), {
    a: '1 é',
    b: { c: '2' },
    x: ['3'],
  });
  const lists = 'a=1&a=2&a=3&b[0]=4&b[1]=5&c[]=6&c=7';
  assert.deepEqual(await read(lists, 'application/x-www-form-urlencoded'), {
    a: ['1', '2', '3'],
    b: ['4', '5'],
    c: ['6', '7'],
  });
});

test('a hundred fields are taken and one more is refused, whether or not the body ends', async () => {
  assert.equal(((await read(`${partsOf(100)}--b--`)).x as string[]).length, 100);
  for (const count of [101, 102, 103, 500]) {
    await assert.rejects(read(`${partsOf(count)}--b--`), TOO_MANY, `${count}`);
    await assert.rejects(read(partsOf(count)), TOO_MANY, `${count}, cut off`);
    await assert.rejects(read(`${partsOf(count)}--b\r\nContent-Dis`), TOO_MANY, `${count}, cut off in headers`);
  }
  assert.equal(((await read(pairs(100), 'application/x-www-form-urlencoded')).x as string[]).length, 100);
  await assert.rejects(read(pairs(101), 'application/x-www-form-urlencoded'), TOO_MANY);
});

test('what is cut off anywhere, or is no form, is refused', async () => {
  const whole = `${part('a', '1')}${part('b', '2')}--b--`;
  for (let length = 0; length < whole.length; length += 1) {
    await assert.rejects(read(whole.slice(0, length)), BROKEN, `${length} bytes`);
  }
  await assert.rejects(readForm('multipart', Buffer.from(whole), 'multipart/form-data'), BROKEN);
});
