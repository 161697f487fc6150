export function BanPage() {
  return null;
}
