import { NotFound } from '../../ui/not-found.tsx';

export function NotFoundPage() {
  return <NotFound />;
}
