import { Dialog } from '../ui/dialog.tsx';
import { words } from '../words/session.ts';
import { loadSession, useSession, useStepUp } from './session.ts';
import { ShowFactor } from './show-factor.tsx';

/** Asks for the second factor when a call needs it fresh; the call then goes on by itself. */
export function StepUp() {
  const session = useSession();
  const answer = useStepUp();
  const shown = async () => {
    await loadSession(); // the session has a new token and a new secret for changes
    answer?.(true);
  };
  return (
    <Dialog steady open={answer !== null} onClose={() => answer?.(false)} title={words.stepUp} lead={words.stepUpLead}>
      <ShowFactor purpose="step-up" methods={session?.methods ?? null} onShown={() => void shown()} />
    </Dialog>
  );
}
