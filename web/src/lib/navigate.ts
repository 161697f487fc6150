/** Lets code outside React go to another page. main.tsx hands the router's navigate in. */
let go: (path: string) => void = (path) => location.assign(path);

export function setNavigate(navigate: (path: string) => void): void {
  go = navigate;
}

export function navigateTo(path: string): void {
  go(path);
}
