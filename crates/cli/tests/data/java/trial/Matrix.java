package trial;

/** Numbers in a field of arrays, made by constructors. */
public class Matrix {
    private final double[][] cells;
    private final int rows;

    public Matrix(int rows, int columns) {
        if (rows <= 0 || columns <= 0 || rows > 4 || columns > 4) {
            throw new IllegalArgumentException(rows + " by " + columns);
        }
        this.rows = rows;
        cells = new double[rows][columns];
    }

    public Matrix(double[] row) {
        this(1, row.length);
        cells[0] = row.clone();
    }

    public Matrix transposed() {
        Matrix result = new Matrix(cells[0].length, rows);
        for (int i = 0; i < rows; i++) {
            for (int j = 0; j < cells[0].length; j++) {
                result.cells[j][i] = cells[i][j];
            }
        }
        return result;
    }

    public double trace() {
        double sum = 0;
        for (int i = 0; i < rows && i < cells[i].length; i++) {
            sum += cells[i][i];
        }
        return sum;
    }

    public boolean set(int i, int j, double value) {
        if (i < 0 || j < 0 || i >= cells.length || j >= cells[i].length) {
            return false;
        }
        cells[i][j] = value;
        return true;
    }

    public static Matrix unit(int n) {
        Matrix unit = new Matrix(n, n);
        for (int i = 0; i < n; i++) {
            unit.cells[i][i] = 1;
        }
        return unit;
    }
}
