import { call, type Operation } from '../api/client.ts';
import { forget } from '../api/query.ts';
import { queries } from '../session/session.ts';
import { tellProblem } from '../ui/toast.tsx';

/** What is out of date once a form was published, archived or the other way round. */
export const STALE: Operation[] = ['listForms', 'readForm', 'readFormStats'];

/** Takes back that a form was archived, which unpublished it too: one that people could fill in is published again. */
export async function bringBack({ id, active }: { id: string; active: boolean }): Promise<void> {
  try {
    await call('unarchiveForm', { params: { id } });
    if (active) await call('updateForm', { params: { id }, body: { active } });
  } catch (error) {
    tellProblem(error);
  }
  await forget(queries, STALE);
}
