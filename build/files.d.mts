export const program: string;
export const loader: string;
