export function HelpIndexPage() {
  return null;
}
