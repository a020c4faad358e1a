/**
 * What the page of a form tells the page that frames it: how tall it is, where somebody stands, and that they are done.
 * Never an answer. `form` is the form's id; steps count from 0.
 */
export type EmbedMessage =
  | { carepost: 'size'; height: number }
  | { carepost: 'step'; form: string; step: number; steps: number }
  | { carepost: 'submitted'; form: string };
