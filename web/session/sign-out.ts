import { call } from '../api/client.ts';
import { tellProblem } from '../ui/toast.tsx';
import { tellOut } from './other-windows.ts';
import { forgetSession } from './session.ts';

/** Ends the session on the server and then here; other windows of this browser blank themselves too. */
export async function signOut(): Promise<void> {
  try {
    await call('signOut', {});
  } catch (error) {
    // Nothing is hidden as if it were over: the cookie still opens the door.
    tellProblem(error);
    return;
  }
  tellOut();
  forgetSession({ left: true });
}
