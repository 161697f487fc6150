export function AnalysisIndexPage() {
  return null;
}
