import java.io.File;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import org.xml.sax.ErrorHandler;
import org.xml.sax.InputSource;
import org.xml.sax.SAXParseException;

/** Validates a report against the document type that JaCoCo ships. */
class ValidateReport {
    private static final String TYPE = "/org/jacoco/cli/internal/report/xml/report.dtd";

    public static void main(String[] arguments) throws Exception {
        DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
        factory.setValidating(true);
        DocumentBuilder builder = factory.newDocumentBuilder();
        builder.setEntityResolver((name, address) ->
                new InputSource(ValidateReport.class.getResourceAsStream(TYPE)));
        builder.setErrorHandler(new ErrorHandler() {
            @Override public void warning(SAXParseException problem) throws SAXParseException { throw problem; }
            @Override public void error(SAXParseException problem) throws SAXParseException { throw problem; }
            @Override public void fatalError(SAXParseException problem) throws SAXParseException { throw problem; }
        });
        builder.parse(new File(arguments[0]));
        System.out.println("valid");
    }
}
