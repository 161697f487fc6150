export function LoginDialog() {
  return null;
}
