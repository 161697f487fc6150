export function PublicFrame() {
  return null;
}
