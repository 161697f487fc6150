export function DataDetailPage() {
  return null;
}
