export function ExampleSheet() {
  return null;
}
