import {
  ArrowRightFromLine,
  Clock,
  CornerUpLeft,
  Hourglass,
  ListPlus,
  type LucideIcon,
  Mail,
  PenLine,
  Split,
  Webhook,
} from 'lucide-react';
import type { StepKind } from '../model/step.ts';

/** How the kinds of steps are told apart at a glance; their names stand beside it. */
export const STEP_ICONS: Record<StepKind, LucideIcon> = {
  email: Mail,
  delay: Clock,
  wait: Hourglass,
  branch: Split,
  list: ListPlus,
  field: PenLine,
  webhook: Webhook,
  goto: CornerUpLeft,
  exit: ArrowRightFromLine,
};

/** The ground of a kind's icon, in the colours of the kit. */
export const STEP_GROUNDS: Record<StepKind, string> = {
  email: 'bg-brand-soft text-brand',
  delay: 'bg-sunken text-ink',
  wait: 'bg-warn-soft text-warn',
  branch: 'bg-info-soft text-info',
  list: 'bg-good-soft text-good',
  field: 'bg-good-soft text-good',
  webhook: 'bg-info-soft text-info',
  goto: 'bg-sunken text-ink',
  exit: 'bg-bad-soft text-bad',
};
