export function WorkspaceFrame() {
  return null;
}
