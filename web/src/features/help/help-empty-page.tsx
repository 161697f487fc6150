export function HelpEmptyPage() {
  return null;
}
