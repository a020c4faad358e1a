// What own-process.test.ts asks: says again what it hears, behind its greeting, or does as it is told.
import { answerOwner } from '../../src/platform/jobs/answer-owner.ts';

let tries = 0;

answerOwner(async (greeting: string) => {
  tries += 1;
  if (greeting === 'late' && tries === 1) throw new Error('nothing to greet with yet');
  return async (asked: string) => {
    if (asked === 'fail') {
      const cause = answerOwner; // a function, which nobody can pass on
      throw Object.assign(new RangeError('as asked', { cause }), { code: '23505' });
    }
    if (asked === 'never') await new Promise(() => {});
    return `${greeting} ${asked} ${process.pid}`;
  };
});
