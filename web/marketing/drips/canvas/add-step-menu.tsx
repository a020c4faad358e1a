import { Plus } from 'lucide-react';
import { Menu } from '../../../ui/menu.tsx';
import { words } from '../../../words/drips/steps.ts';
import { STEP_KINDS, type StepKind } from '../model/step.ts';
import { STEP_ICONS } from './icons.ts';

interface AddStepMenuProps {
  label: string;
  /** Shows the label beside the plus. */
  isNamed?: boolean;
  onAdd(kind: StepKind): void;
}

/** A plus that opens the kinds of steps. */
export function AddStepMenu({ label, isNamed = false, onAdd }: AddStepMenuProps) {
  return (
    <Menu
      label={label}
      trigger={
        <>
          <Plus aria-hidden className="size-4 text-brand" />
          <span className={isNamed ? 'text-sm text-brand' : 'sr-only'}>{label}</span>
        </>
      }
      items={STEP_KINDS.map((kind) => ({
        label: words.kinds[kind],
        icon: STEP_ICONS[kind],
        onSelect: () => onAdd(kind),
      }))}
    />
  );
}
