/** Whether the server can be reached. The browser's own word covers the cable, failed calls cover the rest. */
import { create } from 'zustand';

interface Connection {
  offline: boolean;
  /** Calls fail although the browser believes to be online. */
  down: boolean;
}

export const useConnection = create<Connection>(() => ({ offline: !navigator.onLine, down: false }));

export function callAnswered(): void {
  if (useConnection.getState().down) useConnection.setState({ down: false });
}

export function callFailed(): void {
  useConnection.setState({ down: true });
}

// Believed at once: what waits asks again now, and a call that fails says so.
addEventListener('online', () => useConnection.setState({ offline: false, down: false }));
addEventListener('offline', () => useConnection.setState({ offline: true }));
