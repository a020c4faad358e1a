import { useRef, useState } from 'react';
import { isEqual } from '../ui/is-equal.ts';
import type { Input, Operation, Reply } from './client.ts';
import { fieldProblem } from './field-problem.ts';
import { type ApiProblem, problemOf } from './problem.ts';
import { useWrite } from './query.ts';

/** What is stored of something, as it is written on a page, and when it was changed last. */
export interface Stored<Draft> {
  draft: Draft;
  updatedAt: string;
}

interface SavingOptions<Op extends Operation, Draft> {
  /** What the writing began with. */
  begun: Stored<Draft>;
  /** Asks for what stands now. */
  read(): Promise<Stored<Draft>>;
  /** The call that saves a draft in the place of what it was written over. */
  input(draft: Draft, over: Stored<Draft>): Input<Op>;
  /** What stands once it has been saved. */
  stored(reply: Reply<Op>, draft: Draft): Stored<Draft>;
  /** Puts another draft in the place of the one that is being written, and answers that one. */
  exchange(draft: Draft): Draft;
  isSame?(one: Draft, other: Draft): boolean;
  stale: Operation[];
  /** Without an answer where it had been saved by an earlier press. */
  onSaved(reply?: Reply<Op>): void;
}

/** Somebody else has saved the same meanwhile. Nothing of either is lost before a person says so. */
export interface Overtaken {
  /** Shows what stands now, in the place of what was written; null while it is shown. */
  showTheirs: (() => void) | null;
  /** Brings back what was written; null while that is shown. */
  showMine: (() => void) | null;
  /** Has what is shown saved over theirs the next time. */
  goOver(): void;
}

export interface Saving<Draft> {
  /** What is stored, as far as it is known here. */
  base: Stored<Draft>;
  save(draft: Draft): void;
  isSaving: boolean;
  problem: ApiProblem | null;
  overtaken: Overtaken | null;
}

/** Saves what is written over something that was read. What others have saved meanwhile is never written over unasked. */
export function useSaving<Op extends Operation, Draft>(
  op: Op,
  { begun, read, input, stored, exchange, isSame = isEqual, stale, onSaved }: SavingOptions<Op, Draft>,
): Saving<Draft> {
  const [base, setBase] = useState(begun);
  const over = useRef(begun);
  const sent = useRef(begun.draft);
  const [theirs, setTheirs] = useState<Stored<Draft> | null>(null);
  const [mine, setMine] = useState<{ draft: Draft } | null>(null);
  const [isLooking, setLooking] = useState(false);
  const [unread, setUnread] = useState<ApiProblem | null>(null);
  const stand = (on: Stored<Draft>) => {
    over.current = on;
    setBase(on);
    setTheirs(null);
  };
  const settle = (on: Stored<Draft>, reply?: Reply<Op>) => {
    stand(on);
    setMine(null);
    onSaved(reply);
  };
  const write = useWrite(op, { stale, onDone: (reply) => settle(stored(reply, sent.current), reply) });
  const look = async (draft: Draft) => {
    const now = await read();
    if (isSame(now.draft, draft))
      settle(now); // by an earlier press, whose answer got lost
    else if (isSame(now.draft, over.current.draft)) {
      stand(now); // something else of it was changed
      save(draft);
    } else setTheirs(now);
  };
  const save = (draft: Draft) => {
    sent.current = draft;
    setUnread(null);
    write.mutate(input(draft, over.current), {
      onError: (problem) => {
        if (!isOvertaken(problem)) return;
        setLooking(true);
        look(draft)
          .catch((error: unknown) => setUnread(problemOf(error)))
          .finally(() => setLooking(false));
      },
    });
  };
  return {
    base,
    save,
    isSaving: write.isPending || isLooking,
    problem: unread ?? (isOvertaken(write.error) ? null : write.error),
    overtaken:
      theirs === null && mine === null
        ? null
        : {
            showTheirs:
              theirs &&
              (() => {
                stand(theirs);
                setMine({ draft: exchange(theirs.draft) });
              }),
            showMine:
              mine &&
              (() => {
                exchange(mine.draft);
                setMine(null);
              }),
            goOver: () => theirs !== null && stand(theirs),
          },
  };
}

/** Whether a change was refused since it was written over something that stands no longer. */
export function isOvertaken(problem: ApiProblem | null): boolean {
  return problem?.status === 409 && fieldProblem(problem, 'if_updated_at') !== undefined;
}
