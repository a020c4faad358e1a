import { useNavigate } from '@tanstack/react-router';
import { BookOpen, LogOut, Monitor, Moon, Sun, UserRound } from 'lucide-react';
import { useUser } from '../session/session.ts';
import { signOut } from '../session/sign-out.ts';
import { Menu } from '../ui/menu.tsx';
import { words as team } from '../words/settings/team.ts';
import { words as shared } from '../words/shared.ts';
import { words } from '../words/shell.ts';
import { chooseTheme } from './theme.ts';

/** Who is signed in, how the dashboard looks, and the way out. */
export function AccountMenu() {
  const user = useUser();
  const navigate = useNavigate();
  const face = (
    <>
      <UserRound aria-hidden className="size-5 shrink-0" />
      <span className="min-w-0 text-left text-sm">
        <span className="block truncate">{user.name === '' ? user.email : user.name}</span>
        <span className="block truncate text-xs text-soft">{team.roles[user.role] ?? user.role}</span>
      </span>
    </>
  );
  return (
    <div className="border-t p-2">
      <Menu
        label={shared.account}
        trigger={face}
        items={[
          { label: shared.account, icon: UserRound, onSelect: () => void navigate({ to: '/settings/account' }) },
          { label: shared.themes.light, icon: Sun, onSelect: () => chooseTheme('light') },
          { label: shared.themes.dark, icon: Moon, onSelect: () => chooseTheme('dark') },
          { label: shared.themes.system, icon: Monitor, onSelect: () => chooseTheme('system') },
          { label: words.apiReference, icon: BookOpen, onSelect: () => window.open('/docs', '_blank', 'noopener') },
          { label: shared.signOut, icon: LogOut, onSelect: () => void signOut() },
        ]}
      />
    </div>
  );
}
