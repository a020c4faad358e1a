import { Toasts } from '../ui/toast.tsx';
import { words } from '../words/session.ts';
import { Enrol } from './enrol.tsx';
import { loadSession, type Session } from './session.ts';
import { ShowFactor } from './show-factor.tsx';
import { SignIn } from './sign-in.tsx';
import { signOut } from './sign-out.ts';
import { Aside, WayIn } from './way-in.tsx';

/** The way in, as far as this browser has come on it. */
export function Entrance({ session }: { session: Session }) {
  if (session.state === 'enrol') {
    return (
      <WayIn title={words.enrol} lead={words.enrolLead}>
        <Enrol onDone={() => void loadSession()} />
      </WayIn>
    );
  }
  if (session.state === 'factor') {
    return (
      <WayIn title={words.factor} lead={words.factorLead}>
        <ShowFactor purpose="sign-in" methods={session.methods} onShown={() => void loadSession()} />
        <Aside onClick={() => void signOut()}>{words.otherPerson}</Aside>
        <Toasts />
      </WayIn>
    );
  }
  // Whoever was here before was signed out, rather than never in.
  return <SignIn ended={session.user !== null} />;
}
