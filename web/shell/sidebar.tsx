import { Link, useLocation } from '@tanstack/react-router';
import { useSession, useUser } from '../session/session.ts';
import { classes } from '../ui/classes.ts';
import { words as shared } from '../words/shared.ts';
import { words } from '../words/shell.ts';
import { type Room, roomsOf } from './navigation.ts';

const ENTRY = 'flex items-center gap-2.5 rounded-md px-3 py-1.5 text-sm hover:bg-sunken';
const HERE = 'bg-brand-soft font-medium text-brand';

/** The rooms; the one that is open shows its places. */
export function Navigation({ onGo }: { onGo(): void }) {
  const { role } = useUser();
  const delivery = useSession()?.delivery;
  return (
    <nav aria-label={shared.rooms} className="flex grow flex-col gap-1 overflow-y-auto px-2 py-2">
      <ul className="flex flex-col gap-0.5">
        {roomsOf(role).map((room) => (
          <RoomEntry key={room.to} room={room} onGo={onGo} />
        ))}
      </ul>
      {delivery === 'sandbox' && (
        <p className="mt-4 rounded-md bg-warn-soft px-3 py-2 text-xs text-warn">{words.sandboxNote}</p>
      )}
    </nav>
  );
}

function RoomEntry({ room, onGo }: { room: Room; onGo(): void }) {
  const { pathname } = useLocation();
  const isOpen = room.to === '/' ? pathname === '/' : `${pathname}/`.startsWith(`${room.to}/`);
  const Icon = room.icon;
  const target = room.places[0]?.to ?? room.to;
  return (
    <li>
      <Link
        to={target}
        onClick={onGo}
        className={classes(ENTRY, isOpen && room.places.length === 0 && HERE, isOpen && 'font-medium')}
        {...(isOpen && room.places.length === 0 ? { 'aria-current': 'page' as const } : {})}
      >
        <Icon aria-hidden className="size-4.5" />
        {room.label}
      </Link>
      {isOpen && room.places.length > 0 && (
        <ul className="mt-0.5 mb-2 ml-5 flex flex-col gap-0.5 border-l pl-2">
          {room.places.map((place) => {
            const isHere = `${pathname}/`.startsWith(`${place.to}/`);
            return (
              <li key={place.to}>
                <Link
                  to={place.to}
                  onClick={onGo}
                  className={classes(ENTRY, isHere && HERE)}
                  {...(isHere ? { 'aria-current': 'page' as const } : {})}
                >
                  {place.label}
                </Link>
              </li>
            );
          })}
        </ul>
      )}
    </li>
  );
}
