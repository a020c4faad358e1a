// What own-process.test.ts asks: says again what it hears, behind its greeting, or does as it is told.
import { answerOwner } from '../../src/platform/jobs/answer-owner.ts';

answerOwner(async (greeting: string) => {
  if (greeting === 'none') throw new Error('nothing to greet with');
  return async (asked: string) => {
    if (asked === 'fail') throw new RangeError('as asked');
    if (asked === 'never') await new Promise(() => {});
    return `${greeting} ${asked} ${process.pid}`;
  };
});
