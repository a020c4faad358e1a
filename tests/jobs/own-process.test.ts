import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { createOwnProcess } from '../../src/platform/jobs/own-process.ts';
import { eventually } from '../support/eventually.ts';

const script = new URL('./echo-process.ts', import.meta.url);

function createEcho(t: TestContext, setup = 'hello') {
  const echo = createOwnProcess<string, string, string>({ script, setup, flags: [] });
  t.after(() => echo.stop());
  return echo;
}

function pidIn(said: string): number {
  return Number(said.split(' ').at(-1));
}

function isOver(pid: number): Promise<boolean> {
  return eventually(async () => !existsSync(`/proc/${pid}/cwd`));
}

test('one process answers everybody who asks, with what it was set up with', async (t) => {
  const { ask } = createEcho(t);
  const [one, other] = await Promise.all([ask('you'), ask('and you')]);
  const pid = pidIn(one);
  assert.deepEqual([one, other], [`hello you ${pid}`, `hello and you ${pid}`]);
  assert.notEqual(pid, process.pid);
});

test('what fails there fails here, and is no end of the process', async (t) => {
  const { ask } = createEcho(t);
  await assert.rejects(ask('fail'), { name: 'RangeError', message: 'as asked', code: '23505' });
  assert.match(await ask('you'), /^hello you/);
  const late = createEcho(t, 'late');
  await assert.rejects(late.ask('you'), { message: 'nothing to greet with yet' });
  assert.match(await late.ask('you'), /^late you/);
});

test('whoever waits is told of its death, and the next question starts another', async (t) => {
  const { ask } = createEcho(t);
  const pid = pidIn(await ask('you'));
  const waiting = assert.rejects(ask('never'), { message: 'The process ended before the work was done' });
  process.kill(pid, 'SIGKILL');
  await waiting;
  assert.notEqual(pidIn(await ask('you')), pid);
});

test('it ends when it was asked nothing for a while, when it is stopped, and with its owner', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const echo = createEcho(t);
  const idle = pidIn(await echo.ask('you'));
  t.mock.timers.tick(14_999);
  assert.equal(pidIn(await echo.ask('you')), idle);
  t.mock.timers.tick(15_000);
  t.mock.timers.reset();
  await isOver(idle);

  const busy = pidIn(await echo.ask('you'));
  const waiting = assert.rejects(echo.ask('never'));
  await echo.stop();
  await waiting;
  await isOver(busy);

  const owner = spawn(process.execPath, [new URL('./echo-owner.ts', import.meta.url).pathname]);
  const [said] = await once(owner.stdout, 'data');
  owner.kill('SIGKILL');
  await isOver(pidIn(String(said).trim()));
});

test('a signal to the whole group leaves it to its owner', async (t) => {
  const { ask } = createEcho(t);
  const pid = pidIn(await ask('you'));
  for (const signal of ['SIGINT', 'SIGTERM']) process.kill(pid, signal);
  assert.equal(pidIn(await ask('you')), pid);
});
