import { call, type Input, type Operation } from '../api/client.ts';
import { forget } from '../api/query.ts';
import { queries } from '../session/session.ts';
import { tell, tellProblem } from './toast.tsx';

/** Takes something back by another operation, also where the page that did it is left by then; `said` tells it. */
export function undoBy<Op extends Operation>(
  op: Op,
  input: Input<Op>,
  stale: readonly Operation[],
  said?: string,
): () => void {
  const undo = async () => {
    await call(op, input);
    await forget(queries, stale);
    if (said !== undefined) tell(said);
  };
  return () => void undo().catch(tellProblem);
}
