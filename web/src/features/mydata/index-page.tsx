export function MyDataPage() {
  return null;
}
