import { type RunDeps, runImport } from './run.ts';
import { undoImport } from './undo.ts';
import type { Which } from './which.ts';

/** Works on an import or its undo for a few seconds. Answers whether there is more to do. */
export async function workOnImport(deps: RunDeps, which: Which): Promise<boolean> {
  return (await undoImport(deps, which)) || (await runImport(deps, which));
}
