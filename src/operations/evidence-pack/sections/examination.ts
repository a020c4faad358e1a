import { examine } from '../../doctor/index.ts';
import type { ReadSection } from '../section.ts';

/** What `carepost doctor` finds at the moment at which the pack is made. */
export const examination: ReadSection = async ({ installation }) => ({
  name: 'doctor',
  title: 'State of the installation',
  about: 'What carepost doctor found when the pack was made, and what to do where something is not as it should be.',
  columns: ['check', 'state', 'found', 'todo'],
  rows: (await examine(installation.config)).map(({ check, state, found, todo }) => ({ check, state, found, todo })),
});
