export function ResultPage() {
  return null;
}
