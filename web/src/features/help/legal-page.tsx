export function TermsPage() {
  return null;
}
export function PrivacyPage() {
  return null;
}
export function AgreementPage() {
  return null;
}
