import type { Step } from '../../model/step.ts';

/** What the panel of a step is given. */
export interface PanelProps<One extends Step> {
  step: One;
  disabled: boolean;
  /** Changes to the same part, one after the other, are one to be undone. */
  onChange(step: One, touched?: string): void;
}
